import { CreateService, NewService, Overlap, ServiceList } from '@bottega/contract';
import { Type } from 'typebox';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { createService, deleteService, listServices, rotateService } from './services.service.ts';

const tags = ['Services'];
const params = Type.Object({ service_id: Type.String() });

type Options = Once & { box: SecretBox; credentialsChanged(): void };

export function serviceRoutes(app: App, { box, credentialsChanged, ...once }: Options): void {
  app.get(
    '/user/services',
    {
      config: { access: 'read:user' },
      schema: { tags, summary: 'List the services that sign JWTs for you', response: { 200: ServiceList } },
    },
    async (request) => ({ data: await listServices(once.db, principalOf(request)) }),
  );

  app.post(
    '/user/services',
    {
      config: { access: 'write:user', notForApps: true },
      schema: { tags, summary: 'Register a service', body: CreateService, response: { 201: NewService } },
    },
    (request, reply) =>
      createOnce(once, request, reply, (trx) =>
        createService(trx, box, principalOf(request), { issuer: request.body.issuer, cause: causeOf(request) }),
      ).finally(credentialsChanged),
  );

  app.post(
    '/user/services/:service_id/rotate',
    {
      config: { access: 'write:user', notForApps: true },
      schema: {
        tags,
        summary: "Replace a service's key; the former one goes on for a while",
        params,
        body: Type.Union([Overlap, Type.Null()]),
        response: { 201: NewService },
      },
    },
    (request, reply) => {
      const change = {
        id: request.params.service_id,
        overlapSeconds: request.body?.overlap_seconds ?? 86_400,
        cause: causeOf(request),
      };
      return createOnce(once, request, reply, (trx) => rotateService(trx, box, principalOf(request), change)).finally(
        credentialsChanged,
      );
    },
  );

  app.delete(
    '/user/services/:service_id',
    {
      config: { access: 'write:user', notForApps: true },
      schema: { tags, summary: 'Remove a service', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const removal = deleteService(once.db, principalOf(request), request.params.service_id, causeOf(request));
      await removal.finally(credentialsChanged);
      return reply.code(204).send(null);
    },
  );
}
