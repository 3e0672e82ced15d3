const most = 500;

/**
 * Turns a program's output into one line for people. The output may contain anything: a zero byte, which no row can
 * store, or characters that change what a terminal or a page shows.
 */
export const plainWords = (text: string): string =>
  text
    .slice(0, most)
    .replaceAll(/\p{C}+/gu, ' ')
    .trim();
