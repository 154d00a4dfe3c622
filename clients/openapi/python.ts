import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resourcesFile } from './python-methods.ts';
import { rawFile } from './python-raw.ts';
import { typesFile } from './python-types.ts';
import { MARK, pascal, snake } from './python-words.ts';
import { type OwnApi, ownApi } from './resources.ts';

/**
 * Writes what the Python library has of the gateway's own: types, methods, and the properties of both clients that lead to
 * them. `node clients/openapi/python.ts` writes the files anew.
 */

const FOLDER = new URL('../python/src/headgate/', import.meta.url);

/** The text of each generated file, by its address. */
export function pythonFiles(api: OwnApi = ownApi()): Map<URL, string> {
  const texts = {
    'types.py': typesFile(api),
    'resources.py': resourcesFile(api),
    'raw.py': rawFile(api),
    '_own.py': ownFile(api),
  };
  return new Map(Object.entries(texts).map(([name, text]) => [new URL(name, FOLDER), text]));
}

function ownFile({ resources }: OwnApi): string {
  const names = resources.map(({ name }) => pascal(name));
  const mixin = (prefix: string) =>
    resources.map(
      ({ name }) => `
    @cached_property
    def ${snake(name)}(self) -> ${prefix}${pascal(name)}:
        """What the gateway has of its own under this name."""
        from .resources import ${prefix}${pascal(name)}

        return ${prefix}${pascal(name)}(cast(Any, self))
`,
    );
  const imported = [...names, ...names.map((name) => `Async${name}`)].sort();
  return `${MARK}
"""The properties of both clients that lead to the gateway's own operations. These are imported once they are used."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from .resources import (
${imported.map((name) => `        ${name},\n`).join('')}    )

__all__ = ["AsyncOwn", "Own"]


class Own:${mixin('').join('')}

class AsyncOwn:${mixin('Async').join('')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [address, text] of pythonFiles()) writeFileSync(address, text);
}
