import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const folder = join(import.meta.dirname, '../screenshots');
mkdirSync(folder, { recursive: true });

type Finding = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] };

/** A picture of the screen in both themes for people to review, and no serious finding of axe in either. */
export async function look(page: Page, name: string, { isDashboard = true } = {}): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // What the service draws itself has no script that could follow the theme; the browser does.
    if (isDashboard) {
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    }
    await page.screenshot({ path: join(folder, `${name}.${colorScheme}.png`) });
    if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
    const findings = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Finding[];
    const serious = findings
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html}\n${node.failureSummary}`).join('\n')}`);
    expect(serious, `axe on ${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}
