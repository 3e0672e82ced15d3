import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { once } from '../../foundation/concurrency/once.ts';
import type { App } from '../../foundation/http/index.ts';
import type { Accounts } from '../accounts/index.ts';
import type { SignedIn } from '../auth/index.ts';
import { authorizeRoutes } from './authorize.routes.ts';
import { oauthBudgets } from './budgets.ts';
import type { ClientDocuments } from './client-documents.ts';
import { deviceRoutes } from './device.routes.ts';
import { endpointRoutes } from './endpoints.routes.ts';
import { familyEnded } from './family-ended.ts';
import { interactionRoutes } from './interaction.routes.ts';
import { pageLanguage } from './page-language.ts';
import { createProvider } from './provider.ts';

type Parts = {
  log: Logger;
  secretKey: Buffer;
  accounts: Accounts;
  resources(): readonly string[];
  documents: ClientDocuments | null;
  signedIn(request: FastifyRequest): Promise<SignedIn | null>;
};

/** Everything below /oauth, and the document that describes it to clients. */
export async function oauthRoutes(
  app: App,
  { log, secretKey, accounts, resources, documents, signedIn }: Parts,
): Promise<void> {
  const { db, publicUrl } = accounts;
  const languageFor = pageLanguage({ db, signedIn });
  const budgets = oauthBudgets();
  app.addHook('onClose', async () => {
    budgets.close();
    await documents?.close();
  });
  const options = {
    // Created at the first request, because the public address is final only once the port is known.
    provider: once(() =>
      createProvider({
        db,
        log,
        secretKey,
        publicUrl,
        languageFor,
        resources,
        documents,
        familyEnded: (trx, family) => familyEnded(trx, accounts, family),
      }),
    ),
    publicUrl,
    budgets,
    accounts,
    resources,
    documents,
    signedIn,
    languageFor,
  };
  for (const routes of [endpointRoutes, authorizeRoutes, interactionRoutes, deviceRoutes]) {
    await app.register(async (scope: App) => {
      takeBodiesAsTheyAre(scope);
      routes(scope, options);
    });
  }
}

/**
 * Accepts bodies of any type without parsing them, since forms are small. If the content is not a form, the endpoint
 * itself refuses it, with an error that an app understands.
 */
function takeBodiesAsTheyAre(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 56 * 1024 }, (_request, body, done) => {
    done(null, body);
  });
}
