import type { Span } from '../tracing/span.ts';

const longestText = 300;
const frames = /^(?:begin|start transaction|commit)\b/;

/**
 * Of all that goes out at once, named by the first that is about a table. Texts have places for values, never the values. It
 * is only put into words where it is recorded: most statements are of traces that are not one of the share.
 */
export function statementSpan(...texts: string[]): Span {
  const first = texts.find((text) => !frames.test(text)) ?? texts[0] ?? '';
  return {
    kind: 'client',
    get name() {
      const [, verb = 'statement'] = /^\s*(?:\/\*.*?\*\/\s*)*(\w+)/.exec(first) ?? [];
      const [, table = ''] = /\b(?:from|into|update|join)\s+"?(?:\w+"?\."?)?(\w+)/i.exec(first) ?? [];
      return `${verb} ${table}`.trim();
    },
    get attributes() {
      return {
        'db.system.name': 'postgresql',
        'db.query.text': first.slice(0, longestText).replaceAll(/\s+/g, ' ').trim(),
        'db.operation.batch.size': texts.length > 1 ? texts.length : null,
      };
    },
  };
}
