import type { Static, TNull, TObject, TProperties, TSchema } from 'typebox';
import type { Content, Route } from './route.ts';

type NamesIn<Address extends string> = Address extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : Address extends `${string}*`
    ? '*'
    : never;

export type Params<R extends Route> = { [Name in NamesIn<R['address']>]: string };

/** Optional values, and those with a default, may be left out. */
export type Query<R extends Route> = R extends { query: TObject<infer Fields> }
  ? WithOptional<Static<TObject<Fields>>, Defaulted<Fields>>
  : never;
type Defaulted<Fields extends TProperties> = {
  [Name in keyof Fields]: Fields[Name] extends { default: unknown } ? Name : never;
}[keyof Fields];
type WithOptional<Values, Names> = Omit<Values, (Names & PropertyKey) | OptionalIn<Values>> & {
  [Name in keyof Values & (Names | OptionalIn<Values>)]?: Values[Name] | undefined;
};
type OptionalIn<Values> = {
  [Name in keyof Values]-?: Nothing extends Pick<Values, Name> ? Name : never;
}[keyof Values];
type Nothing = Record<never, never>;

/** The JSON body. */
export type Body<R extends Route> = R extends { body: infer Schema } ? Json<Schema> : never;

/** The body of a successful response. Undefined if there is none. */
export type Answer<R extends Route> = R extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: Json<Responses[Status]> }[keyof Responses & Success]
  : never;
type Success = 200 | 201 | 202 | 204;

type Json<Schema> = Schema extends TNull
  ? undefined
  : Schema extends Content
    ? Schema['content'] extends { 'application/json': { schema: infer Inner } }
      ? Json<Inner>
      : never
    : Schema extends TSchema
      ? Static<Schema>
      : never;

/** Only the parts of a request that the route accepts. */
export type Input<R extends Route> = (keyof Params<R> extends never ? unknown : { params: Params<R> }) &
  (R extends { query: TObject } ? (Nothing extends Query<R> ? { query?: Query<R> } : { query: Query<R> }) : unknown) &
  (R extends { body: TSchema | Content } ? (null extends Body<R> ? { body?: Body<R> } : { body: Body<R> }) : unknown);
