import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type Violation = { id: string; help: string; nodes: { html: string }[] };

/** What axe finds wrong on a page, as `rule: element`. It runs beside the page's policy, which would not load it. */
export async function violationsOn(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: SOURCE });
  const { result } = await client.send('Runtime.evaluate', {
    expression: 'axe.run().then(({ violations }) => JSON.stringify(violations))',
    awaitPromise: true,
    returnByValue: true,
  });
  await client.detach();
  const violations = JSON.parse(String(result.value)) as Violation[];
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}
