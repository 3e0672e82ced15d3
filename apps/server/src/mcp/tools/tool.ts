import type { Route, Scope } from '@bottega/contract';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { Queries } from '../../foundation/db/index.ts';
import type { Answer, Api, Wanted } from './api.ts';
import { asRefusal, fromOthers, hasFailed, type Json, jsonOf, type Result } from './results.ts';

/** The context of one call. */
export type Call = {
  api: Api;
  db: Queries;
  /** The one project that the URL is narrowed to. */
  onlyProject: string | null;
};

/** Hints for a client that asks its user before a call. */
type Hints = { destructive?: boolean; idempotent?: boolean; openWorld?: boolean };

export type Tool = {
  name: string;
  title: string;
  description: string;
  /** The scope that the credential needs. It also shows whether the tool writes. */
  scope: Scope;
  hints: Hints;
  input: TObject;
  /** Not offered if the URL is narrowed to one project. */
  beyondProjects?: boolean;
  run(call: Call, input: Record<string, unknown>): Promise<Result>;
};

type Definition<Input extends TObject> = Omit<Tool, 'scope' | 'input' | 'run' | 'hints'> & {
  hints?: Hints;
  /** The route whose rights the tool needs. */
  route: Route;
  input: Input;
  run(call: Call, input: Static<Input>): Promise<Result>;
};

/** Defines a tool whose `run` gets its input with the types of the schema. Unknown fields are refused. */
export function defineTool<const Fields extends TProperties>({
  route,
  hints = {},
  ...tool
}: Definition<TObject<Fields>>): Tool {
  return {
    ...tool,
    hints,
    scope: route.access as Scope,
    input: Type.Object(tool.input.properties, { additionalProperties: false }),
    run: tool.run as Tool['run'],
  };
}

type RouteTool = Omit<Tool, 'scope' | 'input' | 'run' | 'hints'> & {
  hints?: Hints;
  route: Route;
  /** Fields that the route takes in its path, query and body. */
  fields: TProperties;
  /** How the response is shown; JSON by default. */
  show?(body: Json, input: Record<string, unknown>, answer: Answer): Result;
};

/** A tool that calls one route. */
export function routeTool({ route, fields, show = asJson, ...tool }: RouteTool): Tool {
  const input = Type.Object(fields);
  const run = async ({ api }: Call, values: Record<string, unknown>) => {
    const answer = await api(route, wantedOf(route, values));
    return hasFailed(answer) ? asRefusal(answer) : show(jsonOf(answer), values, answer);
  };
  return defineTool({ ...tool, route, input, run });
}

function wantedOf(
  { address, query, body }: Route,
  { idempotency_key: key, ...values }: Record<string, unknown>,
): Wanted {
  const inPath = new Set(Array.from(address.matchAll(/\{(\w+)\}/g), ([, name]) => name));
  const isInPath = (name: string) => inPath.has(name);
  const isInQuery = (name: string) => query !== undefined && Object.hasOwn(query.properties, name);
  const some = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
  return {
    params: some(isInPath) as Record<string, string>,
    query: some((name) => !isInPath(name) && isInQuery(name)),
    ...(body && { body: some((name) => !isInPath(name) && !isInQuery(name)) }),
    ...(typeof key === 'string' && { headers: { 'idempotency-key': key } }),
  };
}

export const asJson = (body: Json): Result => fromOthers('Done.', JSON.stringify(body));

/** Fields that several tools share. */
export const projectId = Type.String({ maxLength: 64, description: 'prj_…' });
/**
 * The branch that a tool works on. It has no description, because many tools have this field. If it is absent, main is
 * used. The routes check it.
 */
export const branch = Type.Optional(Type.String());
export const limit = (max: number, otherwise: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: max, default: otherwise }));
export const page = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }));
export const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }));
export const idempotencyKey = Type.Optional(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,255}$',
    description: 'A repeated request with the same key has no further effect',
  }),
);
