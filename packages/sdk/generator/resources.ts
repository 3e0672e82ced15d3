import type { Method } from './operations.ts';
import { asSentence, type TypeWriter } from './schema-types.ts';

/** The interface of each resource: its methods with the contract's descriptions. */
export function interfacesOf(methods: Method[], types: TypeWriter): string {
  return [...byResource(methods)]
    .map(([resource, own]) => {
      const lines = own.map((method) => signatureOf(method, types));
      return `export interface ${interfaceName(resource)} {\n${lines.join('\n')}\n}`;
    })
    .join('\n\n');
}

/** The same as data, from which the client makes requests. */
export function operationTable(methods: Method[]): string {
  const resources = [...byResource(methods)].map(([resource, own]) => {
    const rows = own.map((method) => `${method.name}: ${rowOf(method)},`);
    return `${resource}: {\n${rows.join('\n')}\n},`;
  });
  return `export const operations = {\n${resources.join('\n')}\n} as const satisfies Record<string, Record<string, Operation>>;`;
}

/** Without hand-written methods. */
function byResource(methods: Method[]): Map<string, Method[]> {
  return Map.groupBy(
    methods.filter(({ isByHand }) => !isByHand),
    ({ resource }) => resource,
  );
}

const interfaceName = (resource: string): string => `${capitalised(resource)}Resource`;

/** Parameters and answer, as TypeScript. */
export function signatureOf(method: Method, types: TypeWriter): string {
  return `/**\n${documentationOf(method)
    .map((line) => ` * ${line}`.trimEnd())
    .join('\n')}\n */\n${method.name}(${parametersOf(method, types)}): ${answerTypeOf(method, types)};`;
}

export function parametersOf(method: Method, types: TypeWriter): string {
  const params = method.params.map((name) => `${camelCased(name)}: string`);
  const input = inputOf(method, types);
  return [...params, ...(input ? [input] : []), 'options?: CallOptions'].join(', ');
}

function inputOf({ routeName, body, query, isInputOptional }: Method, types: TypeWriter): string | undefined {
  const schema = body ?? query;
  if (!schema) return undefined;
  const name = types.typeOf(schema, 'input');
  const isNamed = /^\w+$/.test(name);
  const type = isNamed ? name : types.declare(`${capitalised(routeName)}${body ? 'Input' : 'Query'}`, schema, 'input');
  return `${body ? 'input' : 'query'}${isInputOptional ? '?' : ''}: ${type}`;
}

export function answerTypeOf({ routeName, answer, items }: Method, types: TypeWriter): string {
  if (answer.kind === 'nothing') return 'Promise<void>';
  if (answer.kind === 'bytes') return 'Promise<Response>';
  const name = types.typeOf(answer.schema, 'output');
  const isNamed = /^\w+$/.test(name);
  const type = isNamed ? name : types.declare(`${capitalised(routeName)}Answer`, answer.schema, 'output');
  if (items === undefined) return `Promise<${type}>`;
  const item = types.typeOf(answer.schema.properties?.[items]?.items ?? {}, 'output');
  return `List<${/^\w+$/.test(item) ? item : `${type}["${items}"][number]`}, ${type}>`;
}

function documentationOf({ route, repeat }: Method): string[] {
  const about = [asSentence(route.summary ?? ''), route.description].filter((text) => text !== undefined);
  const once = repeat === 'never' ? ['', 'Sent once: it is not repeated when its answer is lost.'] : [];
  return [...about, '', `\`${route.address}\`${accessInWords(route.access)}`, ...once];
}

/** The kind of credential that it needs. */
export function accessInWords(access: Method['route']['access']): string {
  if (access.includes(':')) return `, with the scope \`${access}\``;
  return access === 'admin' ? ', for administrators' : '';
}

function rowOf({ route, body, query, items, hasOffset, repeat, answer }: Method): string {
  const row = {
    address: route.address,
    ...(body ? { input: 'body' } : query && { input: 'query' }),
    ...(items !== undefined && { items }),
    ...(hasOffset && { hasOffset }),
    ...(repeat && { repeat }),
    ...(answer.kind !== 'json' && { answer: answer.kind }),
  };
  return JSON.stringify(row);
}

export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const camelCased = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
