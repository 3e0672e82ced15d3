import {
  ConfirmSecondFactor,
  ConfirmWithPassword,
  NewSecondFactor,
  RecoveryCodes,
  SecondFactor,
} from '@bottega/contract';
import { Type } from 'typebox';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import type { Accounts } from './accounts.ts';
import { confirmOwner } from './confirm.service.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.service.ts';

const tags = ['Account'];
const config = { access: 'session' } as const;

export function secondFactorRoutes(app: App, accounts: Accounts & Once): void {
  app.get(
    '/auth/second-factor',
    { config, schema: { tags, summary: 'Whether you have a second factor', response: { 200: SecondFactor } } },
    (request) => readSecondFactor(accounts, principalOf(request).userId),
  );

  app.post(
    '/auth/second-factor',
    {
      config,
      schema: {
        tags,
        summary: 'Begin to set up a second factor (TOTP)',
        body: ConfirmWithPassword,
        response: { 201: NewSecondFactor },
      },
    },
    async (request, reply) => {
      const user = await confirmOwner(accounts, principalOf(request), request.body, causeOf(request));
      return createOnce(accounts, request, reply, (trx) => beginSecondFactor(trx, accounts, user));
    },
  );

  app.post(
    '/auth/second-factor/confirm',
    {
      config,
      schema: {
        tags,
        summary: 'Finish setting it up with a first code; from then on every sign-in needs one',
        body: ConfirmSecondFactor,
        response: { 200: RecoveryCodes },
      },
    },
    (request) => {
      const given = { code: request.body.code, cause: causeOf(request) };
      return confirmSecondFactor(accounts, principalOf(request).userId, given);
    },
  );

  app.post(
    '/auth/second-factor/recovery-codes',
    {
      config,
      schema: {
        tags,
        summary: 'Replace the recovery codes',
        body: ConfirmWithPassword,
        response: { 201: RecoveryCodes },
      },
    },
    async (request, reply) => {
      const cause = causeOf(request);
      const user = await confirmOwner(accounts, principalOf(request), request.body, cause);
      return createOnce(accounts, request, reply, (trx) => renewRecoveryCodes(trx, user.id, cause));
    },
  );

  app.post(
    '/auth/second-factor/remove',
    {
      config,
      schema: {
        tags,
        summary: 'Remove the second factor',
        body: ConfirmWithPassword,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const cause = causeOf(request);
      const user = await confirmOwner(accounts, principalOf(request), request.body, cause);
      await removeSecondFactor(accounts, user, cause);
      return reply.code(204).send(null);
    },
  );
}
