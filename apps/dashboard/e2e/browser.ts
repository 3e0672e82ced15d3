import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { signIn } from '../../server/src/testing/clients/browser.ts';
import { describeUnless } from '../../server/src/testing/parts/programs.ts';
import type { TestUser } from '../../server/src/testing/service/test-service.ts';
import { findChromium } from './chromium.ts';

const executablePath = findChromium();
const isBuilt = existsSync(join(import.meta.dirname, '../dist/index.html'));
const missing = !executablePath ? 'chromium must be installed' : !isBuilt ? 'the dashboard must be built' : null;

export const describeInBrowser = (name: string, tests: () => void) => describeUnless(missing, name, tests);

/** Only the last of several such flags counts, so the features that Playwright disables are repeated here. */
const ofPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];
/** The address bar draws its list with internal pages. Nobody sees them, and they cost as much as ours. */
const ofTheWindow = ['PreloadTopChromeWebUI', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxPopup'];

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...ofPlaywright, ...ofTheWindow]}`,
];

type Options = { width?: number; height?: number; language?: string; user?: Pick<TestUser, 'email'> };
type Opener = { open(url: string, options?: Options): Promise<Page> };
type Person = { page: Page; url: string; language: string };

/**
 * One browser for the tests of a file; every page in it is a separate person. A test fails on anything that the browser
 * reports: an exception, an error in the console, an answer of 500 or above.
 */
export function useBrowser(): Opener {
  // A test goes through many screens, and checks each twice.
  vi.setConfig({ testTimeout: 300_000 });
  let browser: Browser;
  const present: Person[] = [];
  const gone: Person[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    if (executablePath) browser = await chromium.launch({ executablePath, args: flags, headless: true });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const person of present.splice(0)) {
      await leave(person);
      gone.push(person);
    }
    // As one text, because a failure names only the length of an array.
    expect(complaints.splice(0).join('\n')).toBe('');
  });

  async function arrive(url: string, language: string): Promise<Person> {
    const context = await browser.newContext({
      baseURL: url,
      locale: language,
      reducedMotion: 'reduce',
      colorScheme: 'light',
    });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    listen(page, complaints);
    return { page, url, language };
  }

  return {
    async open(url, { width = 1280, height = 800, language = 'en', user } = {}) {
      // A renderer that has compiled the dashboard before shows it in a third of the time.
      const before = gone.find((one) => one.url === url && one.language === language);
      const person = before ?? (await arrive(url, language));
      if (before) gone.splice(gone.indexOf(before), 1);
      present.push(person);
      const { page } = person;
      await page.setViewportSize({ width, height });
      if (user) await page.context().addCookies([await sessionOf(url, user)]);
      return page;
    },
  };
}

/** Removes everything of a person: their page, cookies and stored data. */
async function leave({ page, url }: Person): Promise<void> {
  const context = page.context();
  await context.setOffline(false);
  await page.unrouteAll();
  for (const other of context.pages()) if (other !== page) await other.close();
  // This page has no script, and keeps the renderer.
  await page.goto(`${url}/favicon.svg`);
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await context.clearCookies();
}

async function sessionOf(url: string, user: Pick<TestUser, 'email'>) {
  const answer = await signIn(url, { email: user.email });
  const [name = '', value = ''] = (answer.headers.get('set-cookie') ?? '').split(';')[0]?.split('=') ?? [];
  return { name, value, url, httpOnly: true, sameSite: 'Lax' as const };
}

function listen(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`exception: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The browser logs every 4xx answer; the test decides whether one is wrong.
    if (/^Failed to load resource: the server responded with a status of 4/.test(message.text())) return;
    // The overview's picture of a site runs no script.
    if (message.text().startsWith('Blocked script execution in')) return;
    // From a test that turns the network off.
    if (message.text().includes('net::ERR_INTERNET_DISCONNECTED')) return;
    complaints.push(`console: ${message.text()}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 500) complaints.push(`${answer.status()} ${answer.url()}`);
  });
}
