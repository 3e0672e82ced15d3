import type { Page } from 'playwright-core';

/** A click or a key, and the time until the page was painted again: what "interaction to next paint" is made of. */
export type Interaction = { id: string; ms: number; what: string; where: string };

const heard = new Map<string, Interaction>();
const measured = new WeakSet<Page>();

/**
 * Records the interactions with the pages that open in this tab from now on. Nothing is asserted about them: how long
 * they take depends on the machine.
 */
export async function measureInteractions(page: Page): Promise<void> {
  if (measured.has(page)) return;
  measured.add(page);
  await page.exposeFunction('tellInteraction', (told: Interaction) => {
    // One interaction has several events. The longest counts.
    if (told.ms > (heard.get(told.id)?.ms ?? 0)) heard.set(told.id, told);
  });
  await page.addInitScript({ content: recorder });
}

/** The browser reports an event after its paint, and a page that is left reports none. */
export const flushInteractions = (page: Page): Promise<unknown> =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => setTimeout(done))).then(() => flushInteractions?.())',
  );

export const interactions = (): Interaction[] => [...heard.values()];

const slowestShown = 5;

/** The 95th percentile, and the slowest interactions. The browser measures in steps of 8 ms, from 16 ms on. */
export function summaryOf(all: readonly Interaction[]): string {
  const sorted = all.toSorted((a, b) => b.ms - a.ms);
  const percentile = sorted[Math.floor(sorted.length * 0.05)];
  if (!percentile) return 'Interactions: none took 16 ms\n';
  const lines = sorted.slice(0, slowestShown).map(({ ms, what, where }) => `  ${ms} ms  ${what}, at ${where}`);
  return `Interactions of 16 ms or more: ${sorted.length}, 95th percentile ${percentile.ms} ms\n${lines.join('\n')}\n`;
}

/** Runs in the page. The element of an event may be gone when the browser reports it, so its name is taken before. */
const recorder = `
if (window === window.top) {
  const names = new Map();
  const nameOf = ({ type, key, target }) => {
    const element = target.closest?.('button, a, input, textarea, select, label, summary, [role]') ?? target;
    const text = JSON.stringify((element.ariaLabel ?? element.innerText ?? '').trim().slice(0, 50));
    const name = element === document.body ? 'the page' : (element.role ?? element.localName) + ' ' + text;
    return key === undefined ? 'click on ' + name : (key.length > 1 ? key : 'a letter') + ' in ' + name;
  };
  for (const type of ['pointerdown', 'pointerup', 'click', 'keydown', 'keyup']) {
    addEventListener(type, (event) => names.set(event.timeStamp, nameOf(event)), true);
  }
  const tell = (entries) => {
    for (const { interactionId, startTime, duration, name } of entries) {
      if (!interactionId) continue;
      const id = performance.timeOrigin + ' ' + interactionId;
      const where = location.pathname.replaceAll(/[a-z]+_[0-9a-z]{20,}/g, '…');
      void window.tellInteraction({ id, ms: duration, what: names.get(startTime) ?? name, where });
    }
    if (names.size > 1000) names.clear();
  };
  const observer = new PerformanceObserver((list) => tell(list.getEntries()));
  observer.observe({ type: 'event', durationThreshold: 16 });
  window.flushInteractions = () => tell(observer.takeRecords());
}`;
