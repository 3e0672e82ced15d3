/** Height of what stays at the top of the window, in pixels. */
const top = 110;
/** How long an element is kept in place while the content around it arrives, in milliseconds. */
const settles = 1200;
/** What the user does to go elsewhere. */
const leaving = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** The number of the file that has the focus, or of the file at the top of the window. Null above the first file. */
export function currentFile(): number | null {
  const focused = document.activeElement?.closest<HTMLElement>('[data-file]');
  const box = focused?.getBoundingClientRect();
  if (focused && box && box.bottom > top && box.top < window.innerHeight) return Number(focused.dataset.file);
  const files = [...document.querySelectorAll<HTMLElement>('[data-file]')];
  const last = files.findLast((file) => file.getBoundingClientRect().top <= top + 4);
  return last ? Number(last.dataset.file) : null;
}

/** The element of a file. While the user is far from it, that of the group that contains it. */
export function fileElement(index: number): HTMLElement | null {
  const file = document.querySelector<HTMLElement>(`[data-file="${index}"]`);
  const groups = [...document.querySelectorAll<HTMLElement>('[data-files-from]')];
  return file ?? groups.findLast(({ dataset }) => Number(dataset.filesFrom) <= index) ?? null;
}

let stopFormer: () => void = () => undefined;

/**
 * Brings an element to the top of the window. It may not be in the page yet, and what is above it may still change its
 * height, so it is kept there for a moment, unless the user goes elsewhere.
 */
export function keepAtTop(find: () => HTMLElement | null): void {
  stopFormer();
  const until = performance.now() + settles;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    for (const type of leaving) window.removeEventListener(type, stop);
  };
  const step = () => {
    if (isStopped) return;
    const distance = (find()?.getBoundingClientRect().top ?? top) - top;
    if (Math.abs(distance) > 1) window.scrollBy({ top: distance, behavior: 'instant' });
    if (performance.now() < until) requestAnimationFrame(step);
    else stop();
  };
  stopFormer = stop;
  step();
  // The key or the click that asked for it is over then.
  setTimeout(() => {
    if (!isStopped) for (const type of leaving) window.addEventListener(type, stop);
  });
}

export function showFile(index: number): void {
  let isFocused = false;
  keepAtTop(() => {
    const element = fileElement(index);
    const heading = element?.dataset.file === undefined ? null : element.querySelector<HTMLElement>('.file-heading');
    if (heading && !isFocused) {
      heading.focus({ preventScroll: true });
      isFocused = true;
    }
    return element;
  });
}
