import { type Route, routes, unversionedRoutes } from '@bottega/contract';
import { expect, test } from 'vitest';
import { routesOf } from '../clients/app-routes.ts';
import { call } from '../clients/http-client.ts';
import { useTestService } from '../service/test-service.ts';

const service = useTestService({ role: 'api' });

const versioned: Route[] = Object.values(routes);
const nameOf = ({ address }: Route): string => address;
const versionedNameOf = ({ address }: Route): string => address.replace(' ', ' /v1');

test('no two routes of the contract have the same method and path', () => {
  for (const names of [versioned.map(nameOf), Object.values(unversionedRoutes).map(nameOf)]) {
    expect(new Set(names).size).toBe(names.length);
  }
});

test('the app has every route of the contract, and no other below /v1', () => {
  const registered = routesOf(service.service.app);
  expect(registered.filter((name) => name.includes(' /v1/'))).toEqual(versioned.map(versionedNameOf).sort());
  expect(registered).toEqual(expect.arrayContaining(Object.values(unversionedRoutes).map(nameOf)));
});

test('the OpenAPI document has every route of the contract that is not hidden', async () => {
  const { body } = await call<{ paths: Record<string, object> }>('GET', `${service.url}/openapi.json`);
  const documented = Object.entries(body.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  const shown = versioned.filter(({ hidden }) => !hidden);
  expect(documented.sort()).toEqual(shown.map(versionedNameOf).sort());
});
