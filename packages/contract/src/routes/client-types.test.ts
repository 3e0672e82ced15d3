import { describe, expectTypeOf, test } from 'vitest';
import type { Deployment, ProjectDetail, WriteFile } from '../index.ts';
import type { Answer, Body, Input, Params, Query } from './client-types.ts';
import type { routes } from './index.ts';

/** The compiler runs these tests: `npm run check` fails if an expected error does not occur. */
type Routes = typeof routes;

describe('the types of a route', () => {
  test('take all parameters from its path', () => {
    expectTypeOf<Params<Routes['readProject']>>().toEqualTypeOf<{ project_id: string }>();
    expectTypeOf<Params<Routes['readDelivery']>>().toEqualTypeOf<{ webhook_id: string; delivery_id: string }>();
    expectTypeOf<Input<Routes['readProject']>>().toEqualTypeOf<{ params: { project_id: string } }>();
    // @ts-expect-error: another parameter
    ({ params: { id: 'prj_1' } }) satisfies Input<Routes['readProject']>;
    // @ts-expect-error: no parameters at all
    ({}) satisfies Input<Routes['readProject']>;
  });

  test('take the query from its schema, in which only fields with a default or optional ones may be left out', () => {
    ({}) satisfies Query<Routes['listProjects']>;
    ({ page: 2, sort: 'name' }) satisfies Query<Routes['listProjects']>;
    ({ q: 'x' }) satisfies Query<Routes['searchFiles']>;
    // @ts-expect-error: an unknown value
    ({ sort: 'colour' }) satisfies Query<Routes['listProjects']>;
    // @ts-expect-error: an unknown name
    ({ pages: 2 }) satisfies Query<Routes['listProjects']>;
    // @ts-expect-error: a text that has to be there
    ({ limit: 5 }) satisfies Query<Routes['searchFiles']>;
  });

  test('take the body from its schema, and a body that may be null may be left out', () => {
    ({ name: 'New' }) satisfies Body<Routes['createProject']>;
    ({ params: { key_id: 'key_1' } }) satisfies Input<Routes['rotateApiKey']>;
    expectTypeOf<Body<Routes['writeFile']>>().toEqualTypeOf<WriteFile>();
    // @ts-expect-error: a body without what is required
    ({}) satisfies Body<Routes['createProject']>;
    // @ts-expect-error: a field of another type
    ({ name: 1 }) satisfies Body<Routes['createProject']>;
    // @ts-expect-error: no body
    ({}) satisfies Input<Routes['createProject']>;
  });

  test('take the answer from its success responses', () => {
    expectTypeOf<Answer<Routes['readProject']>>().toEqualTypeOf<ProjectDetail>();
    expectTypeOf<Answer<Routes['deleteTemplate']>>().toEqualTypeOf<undefined>();
    // 201 and 200: for one of several routes, the answer of either.
    expectTypeOf<Answer<Routes['redeploy' | 'cancelDeployment']>>().toEqualTypeOf<Deployment>();
    // @ts-expect-error: no field of a project
    type Missing = Answer<Routes['readProject']>['colour'];
    expectTypeOf<Missing>();
  });
});
