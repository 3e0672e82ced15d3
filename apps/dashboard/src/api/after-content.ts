const shown = Promise.withResolvers<void>();
const lookMs = 100;

/**
 * Loads code that the first content of a page does not need, such as menus and dialogs. It waits for this content,
 * because on a slow line both would share the line. When the user presses a key or a button, it waits no longer.
 */
export const afterContent = <Code>(load: () => Promise<Code>): Promise<Code> => shown.promise.then(load);

/** Watches for the first content of the page. `isShown` says whether nothing is being loaded any more. */
export function watchContent(isShown: () => boolean): void {
  const timer = setInterval(() => isShown() && finish(), lookMs);
  function finish() {
    clearInterval(timer);
    shown.resolve();
  }
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, finish, { once: true, capture: true });
}
