import { routes } from '@bottega/contract';
import type { Config } from '../../foundation/config/index.ts';
import {
  type App,
  causeOf,
  createOnce,
  handle,
  type Once,
  principalOf,
  trimming,
} from '../../foundation/http/index.ts';
import { type Forking, forkProject } from './fork.service.ts';

type Options = Forking & { once: Once; config: Config };

export function forkRoutes(app: App, { once, config, ...forking }: Options): void {
  handle(app, routes.forkProject, { preValidation: trimming('name') }, (request, reply) => {
    const principal = principalOf(request);
    return forkProject(forking, {
      principal,
      projectId: request.params.project_id,
      input: request.body,
      limits: config.plans[principal.plan],
      cause: causeOf(request),
      make: (work) => createOnce(once, request, reply, work),
    });
  });
}
