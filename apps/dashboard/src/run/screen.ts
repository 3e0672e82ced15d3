import '../deployments/deployments.css';
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import { openWithStyles } from './screen-styles.ts';

type Options = {
  label: string;
  isReadOnly: boolean;
  /**
   * The size that somebody else has chosen, for a user who only watches. Without it, the screen fills its host element.
   */
  size?: { cols: number; rows: number } | undefined;
  /** Set for output of a program that was not run on a terminal, whose lines end with a line feed alone. */
  isPlain?: boolean;
};

export type Screen = ReturnType<typeof openScreen>;

/** A terminal's screen in the page, with the colours of the page's theme. */
export function openScreen(host: HTMLElement, { label, isReadOnly, size, isPlain = false }: Options) {
  const terminal = new Terminal({
    fontFamily: 'monospace',
    fontSize: 13,
    lineHeight: 1.25,
    scrollback: 5_000,
    // Programs choose colours for a black screen, but this one may be white.
    minimumContrastRatio: 4.5,
    theme: themeNow(),
    disableStdin: isReadOnly,
    cursorInactiveStyle: isReadOnly ? 'none' : 'outline',
    convertEol: isPlain,
    linkHandler: { activate: (_event, address) => void window.open(address, '_blank', 'noopener,noreferrer') },
    ...size,
  });
  // A program must not write to the clipboard of everybody who looks at it.
  terminal.parser.registerOscHandler(52, () => true);
  terminal.attachCustomKeyEventHandler((event) => !isForPage(event, terminal));
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  openWithStyles(terminal, host);
  terminal.textarea?.setAttribute('aria-label', label);
  // The Escape key goes to the program and does not close the sheet.
  terminal.textarea?.setAttribute('data-mantine-stop-propagation', 'true');
  const fill = () => {
    if (!size && host.clientWidth > 0 && host.clientHeight > 0) fit.fit();
  };
  // The terminal measures a font when the font is set, so it is set once it has loaded.
  const fontFamily = token('--mantine-font-family-monospace');
  void document.fonts.load(`13px ${fontFamily}`).then(() => {
    terminal.options.fontFamily = fontFamily;
    fill();
  });
  const sizes = new ResizeObserver(fill);
  sizes.observe(host);
  fill();
  const themes = new MutationObserver(() => {
    terminal.options.theme = themeNow();
  });
  themes.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
  return {
    terminal,
    close(): void {
      sizes.disconnect();
      themes.disconnect();
      terminal.dispose();
    },
  };
}

/** Keys that the page or the browser handles: leaving the terminal, toggling the pane, copying a selection, pasting. */
function isForPage({ ctrlKey, metaKey, shiftKey, altKey, key }: KeyboardEvent, terminal: Terminal): boolean {
  if (key === 'F6') return true;
  if (altKey || !(ctrlKey || metaKey)) return false;
  const letter = key.toLowerCase();
  if (letter === 'c') return terminal.hasSelection();
  return letter === 'v' || (letter === 'j' && !shiftKey);
}

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

function themeNow(): ITheme {
  const text = token('--mantine-color-text');
  const body = token('--mantine-color-body');
  const colours = names.flatMap((name, index) => [
    [name, token(`--ansi-${index}`)],
    [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, token(`--ansi-${index + 8}`)],
  ]);
  return {
    ...Object.fromEntries(colours),
    foreground: text,
    background: body,
    cursor: text,
    cursorAccent: body,
    selectionBackground: token('--code-selection'),
    scrollbarSliderBackground: token('--frame-line'),
    scrollbarSliderHoverBackground: token('--mantine-color-dimmed'),
    scrollbarSliderActiveBackground: token('--mantine-color-dimmed'),
  };
}
