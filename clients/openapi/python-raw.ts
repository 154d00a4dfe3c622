import { MARK, pascal, snake } from './python-words.ts';
import type { OwnApi, Resource } from './resources.ts';

/** How a resource is asked for answers that nobody has parsed: the name of its property, and who wraps its methods. */
type Way = { property: string; suffix: string; wrapper: string; says: string };

const WAYS: readonly Way[] = [
  {
    property: 'with_raw_response',
    suffix: 'WithRawResponse',
    wrapper: 'to_raw_response_wrapper',
    says: 'The same methods, which return the raw response: its headers, and `parse()`.',
  },
  {
    property: 'with_streaming_response',
    suffix: 'WithStreamingResponse',
    wrapper: 'to_streamed_response_wrapper',
    says: 'The same methods, for `with`: the body of the response is read only when it is asked for.',
  },
];

/** `raw.py`: for each resource what its `with_raw_response` and `with_streaming_response` return. */
export function rawFile({ resources }: OwnApi): string {
  const classes = WAYS.flatMap((way) =>
    ['', 'Async'].flatMap((kind) => resources.flatMap((resource) => classesOf(resource, '', way, kind))),
  );
  return `${MARK}
"""The gateway's own operations with raw and with streamed responses, as those of the official client have them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from openai._legacy_response import async_to_raw_response_wrapper, to_raw_response_wrapper
from openai._response import async_to_streamed_response_wrapper, to_streamed_response_wrapper

if TYPE_CHECKING:
    from . import resources
${classes.join('')}`;
}

/**
 * The properties of a resource that lead to these classes.
 *
 * @param name - of the resource's class
 */
export function rawProperties(name: string): string[] {
  return WAYS.map(
    ({ property, suffix, says }) => `
    @cached_property
    def ${property}(self) -> raw.${name}${suffix}:
        """${says}"""
        from . import raw

        return raw.${name}${suffix}(self)
`,
  );
}

function classesOf({ name, methods, children }: Resource, within: string, way: Way, kind: string): string[] {
  const own = within + pascal(name);
  const { suffix, wrapper } = way;
  const wraps = kind === '' ? wrapper : `async_${wrapper}`;
  // What has no end has no whole answer.
  const wrapped = methods
    .filter(({ isLive }) => !isLive)
    .map((method) => {
      const each = snake(method.name);
      return `        self.${each} = ${wraps}(resource.${each})\n`;
    });
  const properties = children.map(
    (child) => `
    @cached_property
    def ${snake(child.name)}(self) -> ${kind}${own}${pascal(child.name)}${suffix}:
        return ${kind}${own}${pascal(child.name)}${suffix}(self._resource.${snake(child.name)})
`,
  );
  const text = `

class ${kind}${own}${suffix}:
    def __init__(self, resource: resources.${kind}${own}) -> None:
        self._resource = resource
${wrapped.join('')}${properties.join('')}`;
  return [...children.flatMap((child) => classesOf(child, own, way, kind)), text];
}
