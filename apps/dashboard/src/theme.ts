import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The main colour. White text is readable on it, and text in this colour is readable on black. */
const ink: MantineColorsTuple = [
  '#eff1fe',
  '#e0e5fd',
  '#c5cdfb',
  '#9dabf7',
  '#7689f3',
  '#5369ec',
  '#3a4fd8',
  '#2f41b6',
  '#293894',
  '#242f76',
];

/** Warm greys, from the background of the page to its text. */
const grey: MantineColorsTuple = [
  '#faf9f7',
  '#f3f2ef',
  '#e7e5e1',
  '#d5d2cc',
  '#a8a49c',
  '#777269',
  '#5e5a53',
  '#45423d',
  '#2d2b28',
  '#1c1b19',
];

const night: MantineColorsTuple = [
  '#e9e7e4',
  '#c9c6c1',
  '#a8a49e',
  '#7b7771',
  '#46433f',
  '#34322f',
  '#272522',
  '#1b1a18',
  '#131211',
  '#0c0b0b',
];

/** The theme, which docs/design.md describes. Sizes and colours appear nowhere else as numbers. */
export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 6, dark: 5 },
  colors: { ink, gray: grey, dark: night },
  fontFamily: 'Geist, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: '"Geist Mono", ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  defaultRadius: 'md',
  shadows: {
    xs: '0 1px 2px rgb(28 27 25 / 0.06)',
    sm: '0 1px 2px rgb(28 27 25 / 0.06), 0 2px 6px rgb(28 27 25 / 0.05)',
    md: '0 2px 4px rgb(28 27 25 / 0.05), 0 8px 24px rgb(28 27 25 / 0.1)',
    lg: '0 4px 8px rgb(28 27 25 / 0.05), 0 16px 40px rgb(28 27 25 / 0.14)',
    xl: '0 8px 16px rgb(28 27 25 / 0.06), 0 28px 64px rgb(28 27 25 / 0.18)',
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    // Required fields have no star, because nearly all fields are required.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Button: { defaultProps: { size: 'sm' } },
    Modal: { defaultProps: { centered: true, radius: 'lg', overlayProps: { backgroundOpacity: 0.45 } } },
    Tooltip: { defaultProps: { openDelay: 400 } },
    Badge: { defaultProps: { tt: 'none', fw: 500, radius: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } },
  },
});

/** Replaces Mantine's colours of dimmed text and of errors, whose contrast is below 4.5:1 on our surfaces. */
export const contrast: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': 'var(--mantine-color-gray-9)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-6)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': '#b42318',
    '--mantine-color-red-outline': '#b42318',
    '--mantine-color-green-outline': '#0a5c26',
    '--mantine-color-anchor': 'var(--mantine-color-ink-7)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': '#ff8d80',
    '--mantine-color-red-outline': '#ff8d80',
    '--mantine-color-green-outline': '#8ee6a8',
    '--mantine-color-anchor': 'var(--mantine-color-ink-3)',
    '--mantine-color-ink-light-color': 'var(--mantine-color-ink-2)',
    '--mantine-color-yellow-light': 'rgb(250 176 5 / 0.08)',
  },
});
