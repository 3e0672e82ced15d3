import type { Span } from '../tracing/span.ts';

const longestText = 300;
const frames = /^(?:begin|start transaction|commit)\b/;

/**
 * Describes one span for all statements that are sent together. It is named after the first statement that is about a
 * table. The texts of statements contain placeholders, never values. The name is built only if the span is recorded,
 * because most spans are not.
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
