import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** A calm blue. White text is readable on it, and it is readable on black. */
const ink: MantineColorsTuple = [
  '#eef3ff',
  '#dbe5fe',
  '#bccffd',
  '#8eaffb',
  '#5f89f6',
  '#3d6aee',
  '#2653dd',
  '#1d45c4',
  '#1c3a9f',
  '#1b337d',
];

const grey: MantineColorsTuple = [
  '#f6f8fa',
  '#eceff3',
  '#dfe3e8',
  '#c9d0d8',
  '#a3adb8',
  '#6f7a86',
  '#57606a',
  '#424a53',
  '#2b3138',
  '#1b1f24',
];

const night: MantineColorsTuple = [
  '#e6e9ed',
  '#c5cbd3',
  '#a3abb6',
  '#737c88',
  '#3d444d',
  '#2d333b',
  '#22272e',
  '#14181d',
  '#0f1216',
  '#0a0c0f',
];

/** Dense and plain: small radii, small type, one accent, no decoration. */
export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 6, dark: 5 },
  colors: { ink, gray: grey, dark: night },
  // The system's own font. A custom font would add a third to what the first paint waits for.
  fontFamily: 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  focusRing: 'auto',
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    // Nearly all fields are required, so a star at each would say nothing.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Button: { defaultProps: { size: 'sm' } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 } } },
    Tooltip: { defaultProps: { openDelay: 400 } },
    Badge: { defaultProps: { tt: 'none', fw: 500 } },
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } },
  },
});

/** Mantine's own dimmed text and error red fall below 4.5:1 on our surfaces. */
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
  },
});
