import type { FieldError } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { Queries } from '../../foundation/db/index.ts';
import { AppError, forbidden, invalid, principalOf } from '../../foundation/http/index.ts';
import { asAppError, logFailure } from '../../foundation/http/request/errors.ts';
import { fieldErrors } from '../../foundation/http/request/validation.ts';
import { createValidators, type Validator } from '../../foundation/http/request/validator.ts';
import { type Api, readingOnly } from './api.ts';
import { type Narrowing, whyNotOffered } from './offered.ts';
import { type Result, refusedAs } from './results.ts';
import type { Tool } from './tool.ts';
import { allTools } from './tool-list.ts';

export type Runner = { db: Queries; apiOf(request: FastifyRequest): Api };

type Values = Record<string, unknown>;
type Known = { tool: Tool; isInput: Validator<Values> };

const validatorOf = createValidators();
const known = new Map(allTools.map((tool): [string, Known] => [tool.name, { tool, isInput: validatorOf(tool.input) }]));

/**
 * Runs a tool. Undefined if there is no such tool. An error is returned as a result too, so that the model can react to
 * it.
 */
export async function runTool(
  { db, apiOf }: Runner,
  { request, name, input, ...narrowing }: Narrowing & { request: FastifyRequest; name: string; input: unknown },
): Promise<Result | undefined> {
  const found = known.get(name);
  if (!found) return undefined;
  try {
    const why = whyNotOffered(found.tool, principalOf(request), narrowing);
    if (why) throw forbidden(why);
    const values = checked(found, input, narrowing);
    const api = apiOf(request);
    const { onlyProject, readOnly } = narrowing;
    return await found.tool.run({ db, api: readOnly ? readingOnly(api) : api, onlyProject }, values);
  } catch (error) {
    const refusal = asAppError(error);
    logFailure(refusal, request);
    return refusedAs(refusal, request.id);
  }
}

function checked({ tool, isInput }: Known, input: unknown, { onlyProject }: Narrowing): Values {
  const given = (input ?? {}) as Values;
  const takesProject = onlyProject !== null && Object.hasOwn(tool.input.properties, 'project_id');
  if (takesProject && given.project_id !== undefined && given.project_id !== onlyProject) {
    throw invalid('project_id', `must be ${onlyProject} or omitted: this address is limited to one project`);
  }
  const values = takesProject ? { ...given, project_id: onlyProject } : given;
  if (!isInput(values)) throw notValid(fieldErrors(isInput.errors ?? []));
  return values;
}

const notValid = (details: FieldError[]): AppError =>
  new AppError('VALIDATION_ERROR', 'The arguments are not valid', { details });
