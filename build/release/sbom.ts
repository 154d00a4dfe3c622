import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packagesOf, ROOT, readManifest } from '../packages.ts';

type Locked = { packages: Record<string, { integrity?: string }> };

/**
 * The contents of the published package as a CycloneDX 1.6 document: the packages that the sources use, and those that
 * the console's scripts are built from. The same packages give the same bytes: it has no time and no random id.
 * https://cyclonedx.org/docs/1.6/json/
 *
 * npm's own `npm sbom --omit dev` also leaves out packages that a development package needs.
 */
export function sbom(): string {
  const { name, version, license } = readManifest(ROOT);
  const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Locked;
  const folders = [...new Set([...packagesOf(ROOT), ...packagesOf(join(ROOT, 'console'))])].sort();
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version, ...licensed(license) },
    },
    components: folders.map((folder) => componentOf(folder, locked)),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function componentOf(folder: string, { packages }: Locked): object {
  const { name, version, license } = readManifest(folder);
  const place = relative(ROOT, folder);
  const integrity = packages[place]?.integrity;
  if (integrity === undefined) throw new Error(`package-lock.json has no integrity of ${place}.`);
  const [, digest = ''] = /^sha512-(.+)$/.exec(integrity) ?? [];
  return {
    type: 'library',
    'bom-ref': place,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    ...licensed(license),
  };
}

function licensed(license: string | undefined): object {
  return license === undefined ? {} : { licenses: [{ expression: license }] };
}
