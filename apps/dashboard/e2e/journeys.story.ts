import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { useGitClient } from '../../server/src/repository/smart-http/git-client.fixture.ts';
import { useReceiver } from '../../server/src/testing/clients/webhook-receiver.ts';
import { useOauthApp } from '../../server/src/testing/samples/sample-oauth-app.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { useInstallation } from './installation.ts';
import { answering } from './journeys/answering.ts';
import { arrival } from './journeys/arrival.ts';
import { branches } from './journeys/branches.ts';
import { checking } from './journeys/checking.ts';
import { type Combination, combinationsFor } from './journeys/combinations.ts';
import { forking } from './journeys/forking.ts';
import { obstacleTo } from './journeys/in-reach.ts';
import { flushInteractions, interactions, measureInteractions, summaryOf } from './journeys/interactions.ts';
import { joining } from './journeys/joining.ts';
import { type Journey, speaking } from './journeys/journey.ts';
import { lists } from './journeys/lists.ts';
import { rescue } from './journeys/rescue.ts';
import { reviewing } from './journeys/reviewing.ts';
import { rollback } from './journeys/rollback.ts';
import { running } from './journeys/running.ts';
import { together } from './journeys/together.ts';
import { trust } from './journeys/trust.ts';
import { variables } from './journeys/variables.ts';
import { newWalker } from './journeys/walker.ts';
import { webhooks } from './journeys/webhooks.ts';
import { workbench } from './journeys/workbench.ts';
import { lookAsIs } from './look.ts';
import { runId } from './people.ts';

const service = useInstallation();
const browser = useBrowser();
const receiver = useReceiver();
const app = useOauthApp();
const git = useGitClient(service);

const journeys = {
  arrival,
  webhooks,
  trust,
  together,
  workbench,
  rollback,
  lists,
  branches,
  variables,
  joining,
  rescue,
  running,
  reviewing,
  checking,
  forking,
  answering,
};

describeInBrowser('journeys', () => {
  afterAll(() => void process.stdout.write(summaryOf(interactions())));
  for (const [turn, [name, journey]] of Object.entries(journeys).entries()) {
    describe(name, () => {
      test.each(combinationsFor(name, turn))(
        `${journey.title}: by $hand, at $width pixels, $theme, $language`,
        (combination) => walk(name, journey, combination),
      );
    });
  }
});

describeInBrowser('the walker of journeys', () => {
  const button = '<button style="position: absolute; top: 10px; left: 10px">Go</button>';
  const pane = (style: string) =>
    `<div style="position: fixed; inset: 0; overflow: ${style}"><div style="height: 3000px"></div><button>Go</button></div>`;
  test.each([
    ['a free button is in reach', button, null],
    ['a button in a pane that scrolls is in reach', pane('auto'), null],
    ['a button at the end of a page is in reach', '<p style="height: 3000px"></p><button>Go</button>', null],
    [
      'a button below a cover is out of reach',
      `${button}<div style="position: fixed; inset: 0"></div>`,
      /^covered by <div/,
    ],
    ['a button in a pane that nobody can scroll is out of reach', pane('hidden'), /^only a script can scroll/],
    [
      'a workbench that scrolls as a page puts everything out of reach',
      `${button}<p class="workbench" style="height: 3000px"></p>`,
      /high in a window/,
    ],
    [
      'a page that is wider than the window puts everything out of reach',
      `${button}<p style="width: 3000px">wide</p>`,
      /^the page is \d+ px wide/,
    ],
    [
      'a button that is cut off is out of reach',
      `<div style="width: 9px; overflow: clip">${'<button>Go to the end</button>'}</div>`,
      /in view$/,
    ],
  ])('%s', async (_what, html, expected) => {
    const page = await browser.open(service.url, { width: 390, height: 844 });
    await page.goto('about:blank');
    await page.setContent(html);
    const obstacle = await obstacleTo(page.getByRole('button'), { mayScroll: true });
    if (expected === null) expect(obstacle).toBeNull();
    else expect(obstacle).toMatch(expected);
  });

  test('a click that keeps the page busy is measured, with the name of what was clicked', async () => {
    const page = await browser.open(service.url);
    await measureInteractions(page);
    const busy = 'for (const end = performance.now() + 60; performance.now() < end; );';
    await page.goto(`data:text/html,<button onclick="${busy}">Work hard</button>`);
    await page.getByRole('button').click();
    await flushInteractions(page);
    await expect
      .poll(() => interactions().find(({ what }) => what === 'click on button "Work hard"')?.ms)
      .toBeGreaterThanOrEqual(56);
  });
});

/** Runs the journey to its end, and checks every open screen there. */
async function walk(name: string, journey: Journey, combination: Combination): Promise<void> {
  const { hand, width, theme, language } = combination;
  const look = `${hand}-${width}-${theme}-${language}`;
  const tag = `${look}-${runId}`;
  const pages: Page[] = [];
  await journey.go({
    service,
    receiver,
    app,
    git,
    combination,
    tag,
    somebody: async (options) => speaking(service, await service.createUser(options), language),
    async open(user) {
      const height = width === 390 ? 844 : 900;
      const page = await browser.open(service.url, { width, height, language, ...(user && { user }) });
      await measureInteractions(page);
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      pages.push(page);
      return newWalker(page, combination);
    },
  });
  for (const [index, page] of pages.entries()) {
    await flushInteractions(page);
    await lookAsIs(page, `journey-${name}-${index + 1}-${look}`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
}
