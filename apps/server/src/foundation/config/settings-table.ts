import { settings } from './settings.ts';

const introduction = `Settings are read from the environment when Bottega starts. An unknown \`BOTTEGA_*\` name or a bad value stops the
start with an error message; an empty value counts as not set. Variables that Kubernetes injects for a service named
bottega (\`BOTTEGA_SERVICE_*\`, \`BOTTEGA_PORT*\`) are ignored. This page is generated from the code by
\`node -e "import('./apps/server/src/foundation/config/settings-table.ts').then((page) => process.stdout.write(page.settingsTable()))" > docs/settings.md\`.`;

/** Renders docs/settings.md: every setting as the code reads it. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(([name, { default: fallback, about }]) =>
    [`\`${name}\``, fallback ? `\`${fallback}\`` : '–', about].map(cell).join(' | '),
  );
  const table = ['name | default | meaning', '--- | --- | ---', ...rows].map((row) => `| ${row} |`);
  return `# Settings\n\n${introduction}\n\n${table.join('\n')}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
