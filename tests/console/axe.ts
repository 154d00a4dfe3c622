import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type Violation = { id: string; help: string; nodes: { html: string }[] };

/** The rules that a theme decides: all others find the same in each. */
const THEME_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds wrong on a page, as `rule: element`. It runs beside the page's policy, which would not load it. `rules`:
 * only what another theme may change, on a page that was asked whole before.
 */
export async function violationsOn(page: Page, rules: 'all' | 'theme' = 'all'): Promise<string[]> {
  const options = rules === 'all' ? '' : JSON.stringify({ runOnly: THEME_RULES });
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: SOURCE });
  const { result } = await client.send('Runtime.evaluate', {
    expression: `axe.run(${options}).then(({ violations }) => JSON.stringify(violations))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await client.detach();
  const violations = JSON.parse(String(result.value)) as Violation[];
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}
