import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest';
import { signIn } from '../../server/src/testing/browser.ts';
import type { TestUser } from '../../server/src/testing/test-service.ts';
import { findChromium } from './chromium.ts';

const executablePath = findChromium();
const isBuilt = existsSync(join(import.meta.dirname, '../dist/index.html'));
const missing = !executablePath ? 'there is no chromium' : !isBuilt ? 'the dashboard is not built' : null;

if (missing && process.env.CI === 'true') throw new Error(`The browser tests cannot run: ${missing}`);
if (missing) process.stderr.write(`\n*** BROWSER TESTS ARE SKIPPED: ${missing} ***\n\n`);

export const describeInBrowser = describe.skipIf(missing !== null);

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

type Options = { width?: number; height?: number; language?: string; user?: Pick<TestUser, 'email'> };
type Opener = { open(url: string, options?: Options): Promise<Page> };

/**
 * One browser for the tests of a file; every page in it is a person of its own. A test fails on anything that the
 * browser complains about: an exception, an error in the console, an answer of 500 or above.
 */
export function useBrowser(): Opener {
  // A test goes through many screens, and each is looked at twice.
  vi.setConfig({ testTimeout: 300_000 });
  let browser: Browser;
  const complaints: string[] = [];
  beforeAll(async () => {
    if (executablePath) browser = await chromium.launch({ executablePath, args: flags, headless: true });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  return {
    async open(url, { width = 1280, height = 800, language = 'en', user } = {}) {
      const context = await browser.newContext({
        baseURL: url,
        viewport: { width, height },
        locale: language,
        reducedMotion: 'reduce',
        colorScheme: 'light',
      });
      context.setDefaultTimeout(60_000);
      if (user) await context.addCookies([await sessionOf(url, user)]);
      const page = await context.newPage();
      listen(page, complaints);
      return page;
    },
  };
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
    // The browser notes every answer of 4xx; whether one is wrong is for the test to say.
    if (/^Failed to load resource: the server responded with a status of 4/.test(message.text())) return;
    // Of a test that takes the network away.
    if (message.text().includes('net::ERR_INTERNET_DISCONNECTED')) return;
    complaints.push(`console: ${message.text()}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 500) complaints.push(`${answer.status()} ${answer.url()}`);
  });
}
