import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { byNight, isNightly } from '../../server/src/testing/thoroughness.ts';

const folder = join(import.meta.dirname, '../screenshots');
if (isNightly) mkdirSync(folder, { recursive: true });

type Finding = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] };

const themes: ('light' | 'dark')[] = ['light', 'dark'];
/** Every second screen in the dark. */
const themeOf = (name: string) => themes[name.length % 2] ?? 'light';

/**
 * No serious finding of axe: in one of the themes, by night in both. Then there is a picture in each of them too, for
 * people to review.
 */
export async function look(page: Page, name: string, { isDashboard = true } = {}): Promise<void> {
  for (const colorScheme of byNight(themes, [themeOf(name)])) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // What the service draws itself has no script that could follow the theme; the browser does.
    if (isDashboard) {
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    }
    if (isNightly) await page.screenshot({ path: join(folder, `${name}.${colorScheme}.png`) });
    if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
    const findings = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Finding[];
    const serious = findings
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html}\n${node.failureSummary}`).join('\n')}`);
    expect(serious, `axe on ${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}
