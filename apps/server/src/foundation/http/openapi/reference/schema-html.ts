import { type Html, html } from '../../answers/html.ts';

/** The parts of a schema that the page shows. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  readOnly?: boolean;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

const alternativesOf = ({ anyOf, oneOf, allOf }: Schema): Schema[] => anyOf ?? oneOf ?? allOf ?? [];
const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** Describes the type in words: `string (date-time) or null`, `array of Project`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(schema.allOf ? ' and ' : ' or ');
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  if (typeof schema.additionalProperties === 'object') return `object, each ${typeOf(schema.additionalProperties)}`;
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

function rangeOf(min: number | undefined, max: number | undefined, unit: string): string[] {
  if (min === undefined && max === undefined) return [];
  if (max === undefined) return [`at least ${min}${unit}`];
  return [min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`];
}

/** Other constraints on a value. */
const limitsOf = (schema: Schema): Html[] => [
  ...[
    ...rangeOf(schema.minLength, schema.maxLength, ' characters'),
    ...rangeOf(schema.minimum, schema.maximum, ''),
    ...rangeOf(schema.minItems, schema.maxItems, ' items'),
  ].map((text) => html`${text}`),
  ...('default' in schema ? [html`default <code>${JSON.stringify(schema.default)}</code>`] : []),
  ...(schema.pattern === undefined ? [] : [html`matches <code>${schema.pattern}</code>`]),
];

/** The contract's texts use no Markdown except backticks for code. */
export const inlineText = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/**
 * Whether a value is sent by the client or answered by the service. Most fields that are sent are optional, and most
 * fields in answers are always present. Only the exceptions are marked.
 */
export type Way = 'sent' | 'answered';

/**
 * Renders the fields of a value, down to the named schemas. Each named schema is rendered once, at the end of the page.
 * The script copies it to where a reader opens it. Otherwise, copies of schemas would be most of the page.
 */
export function insideOf(schema: Schema, way: Way): Html {
  if (schema.$ref !== undefined) return opened(nameOf(schema.$ref));
  if (schema.properties) return fieldsOf(schema, way);
  const parts = [
    ...alternativesOf(schema),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  return html`${parts.map((part) => insideOf(part, way))}`;
}

const opened = (name: string): Html =>
  html`<details class="schema" data-schema="${name}"><summary>${name}</summary><a href="#schema/${name}">${name}</a></details>`;

function fieldsOf({ properties = {}, required = [] }: Schema, way: Way): Html {
  // Read-only fields may be sent back, but are ignored.
  const shown = Object.entries(properties).filter(([, { readOnly }]) => way === 'answered' || !readOnly);
  const rows = shown.map(([name, schema]) => {
    const isRequired = required.includes(name);
    const remark = way === 'sent' ? isRequired && 'required' : !isRequired && 'optional';
    return html`<li>${fieldLine({ name, schema, remark })}${insideOf(schema, way)}</li>`;
  });
  return html`<ul class="fields">${rows}</ul>`;
}

type Field = { name: string; schema: Schema; remark: string | false; description?: string | undefined };

export function fieldLine({ name, schema, remark, description = schema.description }: Field): Html {
  const limits = limitsOf(schema).map((limit, index) => html`${index > 0 ? ', ' : ''}${limit}`);
  return html`<code>${name}</code> <i>${typeOf(schema)}</i>${remark ? html` <b>${remark}</b>` : ''}${
    description ? html`<p>${inlineText(description)}</p>` : ''
  }${limits.length > 0 ? html`<p><i>${limits}</i></p>` : ''}`;
}
