import { type Static, type TNull, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Scope } from '../scopes.ts';

/**
 * What a route asks of its caller. `public` is answered to everyone without a look at who asks; `anyone` too, but the
 * request counts, and a credential that is sent has to hold. `session`: somebody who signed in with a password, and no
 * key or token of theirs. `admin`: an administrator, by a credential without restriction.
 */
export type Access = 'public' | 'anyone' | 'signed-in' | 'session' | 'admin' | Scope;

/** A body or an answer that is not, or not only, JSON: a schema for each content type. */
type Content = { description?: string; content: Record<string, { schema: TSchema }> };

/** One route of the API as data: the server registers it, OpenAPI documents it, and clients take their types from it. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI's notation, such as `/projects/{project_id}`; a `*` at the end stands for the rest of the address. */
  path: string;
  access: Access;
  /** Refused to the token of an app, whatever its scopes: what is made here would outlive the user's consent. */
  notForApps?: boolean;
  /** Not in the OpenAPI document. */
  hidden?: boolean;
  summary?: string;
  description?: string;
  /** Only where a parameter needs a description: names and types follow from the path. */
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  body?: TSchema | Content;
  /** By status. The errors that every route may answer are not listed. */
  responses: Record<number, TSchema | Content>;
};

/** Keeps the literal types; `tag` is the heading in the documentation that the routes belong to. */
export function defineRoutes<const Routes extends Record<string, Route>>(tag: string, routes: Routes): Tagged<Routes> {
  const tagged = Object.entries(routes).map(([name, route]) => [name, { tag, ...route }]);
  return Object.fromEntries(tagged) as Tagged<Routes>;
}
type Tagged<Routes> = { [Name in keyof Routes]: Routes[Name] & { tag: string } };

/** The schema of an answer without a body. */
export const noContent = Type.Null();

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type Rest<Path extends string> = Path extends `${string}*` ? '*' : never;

export type Params<R extends Route> = { [Name in NamesIn<R['path']> | Rest<R['path']>]: string };

/** What may be left out of a request: what is optional, and what the service has a default for. */
type Sent<Schema> =
  Schema extends TObject<infer Fields>
    ? Omit<Static<Schema>, Defaulted<Fields>> & Partial<Pick<Static<Schema>, Defaulted<Fields> & keyof Static<Schema>>>
    : never;
type Defaulted<Fields extends TProperties> = {
  [Name in keyof Fields]: Fields[Name] extends { default: unknown } ? Name : never;
}[keyof Fields];

export type Query<R extends Route> = R extends { query: infer Schema } ? Sent<Schema> : never;

/** Only what is sent as JSON. */
export type Body<R extends Route> = R extends { body: infer Schema } ? Json<Schema> : never;

/** The body of a successful answer; undefined where there is none. */
export type Answer<R extends Route> = {
  [Status in keyof R['responses'] & Success]: Json<R['responses'][Status]>;
}[keyof R['responses'] & Success];
type Success = 200 | 201 | 202 | 204;

type Json<Schema> = Schema extends TNull
  ? undefined
  : Schema extends Content
    ? Json<JsonOf<Schema['content']>>
    : Schema extends TSchema
      ? Static<Schema>
      : never;
type JsonOf<Contents> = Contents extends { 'application/json': { schema: infer Schema } } ? Schema : never;
