import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than any path through one of our screens. */
const steps = 150;

/**
 * Moves to an element as a user without a mouse does: by Tab and Shift+Tab, and by arrows within composite widgets. It
 * fails if that does not lead there, or if the focus is not visible.
 */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  let unfocused: string | null = null;
  const passed: string[] = [];
  for (let step = 0; step < steps; step++) {
    const { place, look } = await seen(target);
    if (place === 'here') return mustShow(target, unfocused);
    unfocused = look;
    if (/Tab$/.test(place)) await leaveText(page);
    await page.keyboard.press(place);
    passed.push(await page.evaluate(nameOfFocused));
  }
  throw new Error(`${target} is not reached by keyboard. The way was:\n${passed.join('\n')}`);
}

/** An element that the page itself focused was never seen without focus. A focus mark may fade in. */
async function mustShow(target: Locator, unfocused: string | null): Promise<void> {
  const look = async () => (await seen(target)).look;
  await expect.poll(look, { message: `the focus of ${target} is not seen` }).not.toBe(unfocused);
}

/** In the editor Tab indents, and Escape lets it move on. In a dialog Escape would close the dialog. */
async function leaveText(page: Page): Promise<void> {
  const isInText = "document.activeElement.matches('.cm-content:not([role=dialog] *)')";
  if (await page.evaluate(isInText)) await page.keyboard.press('Escape');
}

/**
 * `here`, or the key that leads nearer; and at the same moment the look of the element and its surroundings: some
 * components mark the focus of a hidden field beside it.
 */
const seen = (target: Locator): Promise<{ place: string; look: string }> =>
  target.evaluate((element) => {
    const { activeElement, body, defaultView } = element.ownerDocument;
    function placeOf(): string {
      if (element === activeElement) return 'here';
      const isBehind = (activeElement.compareDocumentPosition(element) & 4) !== 0;
      const composite = element.closest('[role=tablist], [role=menu], [role=tree], [role=radiogroup]');
      // The lines of a diff; the comments between them are reached with Tab.
      const lines =
        element.matches('[data-line]') && activeElement.matches('[data-line]') && element.closest('[role=grid]');
      const several = composite ?? (lines || null);
      if (activeElement === body || !several?.contains(activeElement)) return isBehind ? 'Tab' : 'Shift+Tab';
      if (several.matches('[role=tablist]:not([aria-orientation=vertical])'))
        return isBehind ? 'ArrowRight' : 'ArrowLeft';
      return isBehind ? 'ArrowDown' : 'ArrowUp';
    }
    const near = [element, element.parentElement, element.parentElement?.parentElement, ...element.children];
    const around = [...near, element.nextElementSibling, element.previousElementSibling].filter(Boolean);
    const look = around
      .map((one) => defaultView.getComputedStyle(one))
      .map((style) => [style.outline, style.boxShadow, style.borderColor, style.backgroundColor, style.inset].join())
      .join('\n');
    return { place: placeOf(), look };
  });

const nameOfFocused = `(({ tagName, role, ariaLabel, textContent }) =>
  [tagName, role, (ariaLabel ?? textContent ?? '').trim().slice(0, 40)].join(' '))(document.activeElement)`;
