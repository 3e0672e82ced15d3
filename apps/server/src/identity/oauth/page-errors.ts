import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import { asAppError } from '../../foundation/http/request/errors.ts';
import type { PageLanguage } from './page-language.ts';
import { errorPage } from './pages.ts';

/** The error handler of pages, for a person at a browser. */
export function sendErrorPage(languageFor: PageLanguage) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const shown = error instanceof errors.OIDCProviderError ? ofProvider(error) : ofOurs(error, request);
    const { status, name, description, headers } = shown;
    const language = await languageFor(request);
    return reply
      .code(status)
      .headers({ ...headers, ...errorPage.headers })
      .send(errorPage.render(language, { error: name, description, status }));
  };
}

type Shown = { status: number; name: string; description: string; headers: Record<string, string> };

/** The message of an error. It has the provider's wording, except for errors that the user can fix. */
export function inWords(error: Error & { error_description?: string | undefined }): string {
  return error instanceof errors.SessionNotFound
    ? 'This authorization has expired or was started in another browser. Go back to the app and try again.'
    : (error.error_description ?? '');
}

function ofProvider(error: errors.OIDCProviderError): Shown {
  const headers: Record<string, string> = error.status === 503 ? { 'retry-after': '2' } : {};
  return { status: error.status, name: error.error, description: inWords(error), headers };
}

function ofOurs(error: unknown, request: FastifyRequest): Shown {
  const { status, message, headers, cause } = asAppError(error);
  if (status >= 500) request.log.error({ request_id: request.id, err: cause ?? error }, message);
  const name = status >= 500 ? 'server_error' : 'invalid_request';
  const { 'www-authenticate': _challenge, ...rest } = headers;
  return { status, name, description: message, headers: rest };
}
