import type { Browser, Page } from 'playwright-core';

/** What whoever opens a page notices of it. Times are milliseconds from the request for the page on. */
export type PageFigures = {
  firstContent: number;
  /** What the screen is for can be seen, and the page answers. */
  ready: number;
  /** Of the layout, as browsers count it: 0 where nothing moved. */
  shift: number;
  /** As it came over the wire, of everything that was asked for until then. */
  bytes: number;
  nodes: number;
};

export type Screen = { url: string; cookie: string; shows: string };

/** Bytes a second and milliseconds: a bad mobile connection. */
const slowNetwork = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 };

/** Kept by the page itself from its beginning on. */
const watchLayout = `
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

const readFigures = `({
  firstContent: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  shift: window.layoutShift,
  nodes: document.querySelectorAll('*').length,
})`;

/** By a browser that has nothing of the service yet. */
export async function figuresOfPage(browser: Browser, screen: Screen, isSlow: boolean): Promise<PageFigures> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const [name = '', value = ''] = screen.cookie.split('=');
    // Of the whole service: one of the page's own address would be sent to pages beside it only.
    if (name) await context.addCookies([{ name, value, url: new URL(screen.url).origin }]);
    const page = await context.newPage();
    await page.addInitScript(watchLayout);
    const received = await countBytes(page, isSlow);
    await page.goto(screen.url, { waitUntil: 'commit' });
    await page.locator(screen.shows).first().waitFor({ timeout: 120_000 });
    const ready = Number(await page.evaluate('performance.now()'));
    const bytes = received();
    return { ...((await page.evaluate(readFigures)) as Omit<PageFigures, 'ready' | 'bytes'>), ready, bytes };
  } finally {
    await context.close();
  }
}

async function countBytes(page: Page, isSlow: boolean): Promise<() => number> {
  const protocol = await page.context().newCDPSession(page);
  let bytes = 0;
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await protocol.send('Network.enable');
  if (isSlow) await protocol.send('Network.emulateNetworkConditions', slowNetwork);
  return () => bytes;
}
