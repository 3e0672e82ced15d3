import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useGitClient } from '../../server/src/repository/smart-http/git-client.fixture.ts';
import { buildSettings } from '../../server/src/testing/sample-deployments.ts';
import { useOauthApp } from '../../server/src/testing/sample-oauth-app.ts';
import { useTestService } from '../../server/src/testing/test-service.ts';
import { useReceiver } from '../../server/src/testing/webhook-receiver.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { arrival } from './journeys/arrival.ts';
import { branches } from './journeys/branches.ts';
import { type Combination, combinations } from './journeys/combinations.ts';
import { joining } from './journeys/joining.ts';
import { type Journey, speaking } from './journeys/journey.ts';
import { lists } from './journeys/lists.ts';
import { rescue } from './journeys/rescue.ts';
import { rollback } from './journeys/rollback.ts';
import { together } from './journeys/together.ts';
import { trust } from './journeys/trust.ts';
import { variables } from './journeys/variables.ts';
import { newWalker } from './journeys/walker.ts';
import { webhooks } from './journeys/webhooks.ts';
import { workbench } from './journeys/workbench.ts';
import { lookAsIs } from './look.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
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
};

describeInBrowser('journeys', () => {
  describe.each(Object.entries(journeys))('%s', (name, journey) => {
    test.each(combinations)(`${journey.title}: by $hand, at $width pixels, $theme, $language`, (combination) =>
      walk(name, journey, combination),
    );
  });
});

/** To its end, where every screen that is open is looked at. */
async function walk(name: string, journey: Journey, combination: Combination): Promise<void> {
  const { hand, width, theme, language } = combination;
  const tag = `${hand}-${width}-${theme}-${language}`;
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
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      pages.push(page);
      return newWalker(page, combination);
    },
  });
  for (const [index, page] of pages.entries()) {
    await lookAsIs(page, `journey-${name}-${index + 1}-${tag}`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
}
