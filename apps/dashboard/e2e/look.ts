import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { byNight, isNightly } from '../../server/src/testing/runner/thoroughness.ts';

const folder = join(import.meta.dirname, '../screenshots');
if (isNightly) mkdirSync(folder, { recursive: true });

const require = createRequire(import.meta.url);
/** Every checked page parses it again, and this one is half as long. */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Collects only violations: for passes, axe would keep every element. */
const run = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";

type Finding = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] };

const themes: ('light' | 'dark')[] = ['light', 'dark'];
/** Every second screen is checked in the dark theme. */
const themeOf = (name: string) => themes[name.length % 2] ?? 'light';

/** An attribute in which the page's script names its theme. Null if the page has no script, and follows the browser. */
type Options = { follows?: string | null };

/**
 * Expects no serious finding of axe: in one theme, at night in both. At night it also takes a picture in each, for
 * review.
 */
export async function look(
  page: Page,
  name: string,
  { follows = 'data-mantine-color-scheme' }: Options = {},
): Promise<void> {
  for (const colorScheme of byNight(themes, [themeOf(name)])) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    if (follows) await page.locator(`html[${follows}=${colorScheme}]`).waitFor({ state: 'attached' });
    await lookAsIs(page, `${name}.${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** The same in the page's current theme. */
export async function lookAsIs(page: Page, name: string): Promise<void> {
  if (isNightly) await page.screenshot({ path: join(folder, `${name}.png`) });
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const findings = (await page.evaluate(run)) as Finding[];
  const serious = findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html}\n${node.failureSummary}`).join('\n')}`);
  expect(serious, `axe on ${name}`).toEqual([]);
}

/** Only takes the pictures: for what the editor's library draws, whose lists axe does not understand. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!isNightly) return;
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    await page.screenshot({ path: join(folder, `${name}.${colorScheme}.png`) });
  }
}

/** For screens that another test checks on a large screen: a phone shows the same elements in another order. */
export async function lookOnPhone(page: Page, name: string, options: Options = {}): Promise<void> {
  if (isNightly) await look(page, name, options);
}
