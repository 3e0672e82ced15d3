import { type TObject, type TSchema, Type } from 'typebox';
import type { Scope } from '../scopes.ts';

/**
 * What a route requires of its caller. `public` answers everyone without checking the caller. `anyone` does too, but
 * the request is counted, and a credential that is sent must be valid. `session` requires a user who signed in with a
 * password, not a key or token. `admin` requires an administrator with an unrestricted credential.
 */
export type Access = 'public' | 'anyone' | 'signed-in' | 'session' | 'admin' | Scope;

/** A body or a response that is not JSON, or not only JSON: one schema for each content type. */
export type Content = { description?: string; content: Record<string, { schema: TSchema }> };

/**
 * One route of the API as data: the server registers it, OpenAPI documents it, and clients take their types from it.
 */
export type Route = {
  /**
   * The address in OpenAPI's notation, such as `GET /projects/{project_id}`. A `*` at the end stands for the rest of
   * the path.
   */
  address: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  access: Access;
  /** Refuses the token of an app, whatever its scopes, because the result would outlive the user's consent. */
  notForApps?: boolean;
  /** The path contains no project. The route shows a service account only what belongs to its projects. */
  forServiceAccounts?: boolean;
  /** Not in the OpenAPI document. */
  hidden?: boolean;
  summary?: string;
  description?: string;
  /** Only for parameters that need a description. Names and types follow from the path. */
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  body?: TSchema | Content;
  /** Responses by status. Errors that every route may return are not listed. */
  responses: Record<number, TSchema | Content>;
};

/** Keeps the literal types of the routes. `tag` is their heading in the documentation. */
export function defineRoutes<const Routes extends Record<string, Route>>(tag: string, routes: Routes): Tagged<Routes> {
  const tagged = Object.entries(routes).map(([name, route]) => [name, { tag, ...route }]);
  return Object.fromEntries(tagged) as Tagged<Routes>;
}
type Tagged<Routes> = { [Name in keyof Routes]: Routes[Name] & { tag: string } };

/** For routes that show how a project is built and run. */
export const peopleOnly =
  'Only members of the project can call this route. On a public project, other users get a 403.';

/** The schema of an answer without a body. */
export const noContent = Type.Null();
