import type { Span } from '../tracing/span.ts';

const longestText = 300;
const frames = /^(?:begin|start transaction|commit)\b/;

/** Of all that goes out at once, named by the first that is about a table. Texts have places for values, never the values. */
export function statementSpan(...texts: string[]): Span {
  const first = texts.find((text) => !frames.test(text)) ?? texts[0] ?? '';
  const short = first.slice(0, longestText).replaceAll(/\s+/g, ' ').trim();
  const [, verb = 'statement'] = /^(?:\/\*.*?\*\/ ?)*(\w+)/.exec(short) ?? [];
  const [, table = ''] = /\b(?:from|into|update|join)\s+"?(?:\w+"?\."?)?(\w+)/i.exec(first) ?? [];
  return {
    name: `${verb} ${table}`.trim(),
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.text': short,
      'db.operation.batch.size': texts.length > 1 ? texts.length : null,
    },
  };
}
