import { type Html, html } from '../../answers/html.ts';
import { success } from '../openapi-operation.ts';
import { fieldLine, inlineText, insideOf, type Schema, typeOf } from './schema-html.ts';

type Content = Record<string, { schema?: Schema; example?: unknown }>;
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };

export type Operation = {
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description?: string; content?: Content }>;
};

export type Place = { tag: string; method: string; path: string };

export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** The anchor of an operation within the page. Readers bookmark and share anchors, so they must never change. */
export const addressOf = ({ tag, method, path }: Place): string => `tag/${slugOf(tag)}/${method.toUpperCase()}${path}`;

/** The details of an operation are closed at first, because a browser neither lays out nor paints closed details. */
export function operationHtml(place: Place, operation: Operation): Html {
  const { summary = '', description, parameters = [], requestBody, responses } = operation;
  const method = place.method.toUpperCase();
  return html`<details class="operation" id="${addressOf(place)}" data-method="${method}" data-path="${place.path}">
<summary><h3><b class="${place.method}">${method}</b> <code>${place.path}</code> <span>${summary}</span></h3></summary>
<div class="inside">${description ? html`<p>${inlineText(description)}</p>` : ''}${parametersHtml(parameters)}${
    requestBody ? bodyHtml(requestBody) : ''
  }${answersHtml(responses)}</div></details>
`;
}

function parametersHtml(parameters: Parameter[]): Html {
  if (parameters.length === 0) return html``;
  const rows = parameters.map(
    ({ name, in: where, required = false, description, schema }) =>
      html`<li data-in="${where}" data-name="${name}">${fieldLine({ name, schema, remark: required && 'required', description: description ?? schema.description })} <i>${where}</i></li>`,
  );
  return html`<h4>Parameters</h4><ul class="fields">${rows}</ul>`;
}

function bodyHtml({ required = false, content }: NonNullable<Operation['requestBody']>): Html {
  const kinds = Object.entries(content).map(([type, { schema = {}, example }]) => {
    const sample = example === undefined ? '' : JSON.stringify(example, null, 2);
    return html`<p><i>${type}${required ? '' : ', optional'}</i></p>${insideOf(schema, 'sent')}<pre class="example" data-type="${type}" tabindex="0">${sample}</pre>`;
  });
  return html`<h4>Body</h4>${kinds}`;
}

const isError = ([status]: [status: string, answer: unknown]): boolean => Number(status) >= 400;

function answersHtml(responses: Operation['responses']): Html {
  const all = Object.entries(responses);
  const good = all.filter((answer) => !isError(answer)).map(([status, answer]) => answerHtml(status, answer));
  const errors = all.filter(isError).map(([status]) => status);
  return html`<h4>Responses</h4><ul class="fields">${good}<li><a href="#errors">Errors</a> ${errors.join(', ')}</li></ul>`;
}

/** Describes each error status once, because it means the same for all operations. */
export function errorsHtml(operations: Operation[]): Html {
  const meanings = new Map(operations.flatMap(({ responses }) => Object.entries(responses).filter(isError)));
  const rows = [...meanings]
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([status, { description = '' }]) => html`<li><code>${status}</code> ${inlineText(description)}</li>`);
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2><ul class="fields">${rows}</ul></section>`;
}

function answerHtml(status: string, { description = '', content = {} }: Operation['responses'][string]): Html {
  // The default description says nothing, so it is not shown.
  const said = description === success ? '' : description;
  const kinds = Object.entries(content).map(
    ([type, { schema = {} }]) =>
      html` <i>${type === 'application/json' ? typeOf(schema) : type}</i>${insideOf(schema, 'answered')}`,
  );
  return html`<li><code>${status}</code> ${inlineText(said)}${kinds}</li>`;
}
