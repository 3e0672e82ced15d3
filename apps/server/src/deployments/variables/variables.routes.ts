import { routes } from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type App, causeOf, handle, principalOf } from '../../foundation/http/index.ts';
import { deleteVariable, listVariables, putVariable } from './variables.service.ts';

const which = ({ params }: { params: { project_id: string; name: string } }) => ({
  projectId: params.project_id,
  name: params.name,
});

export function variableRoutes(app: App, { db, box }: { db: Db; box: SecretBox }): void {
  handle(app, routes.listVariables, async (request) => ({
    data: await listVariables(db, principalOf(request), request.params.project_id, box),
  }));

  handle(app, routes.putVariable, (request) =>
    putVariable(db, principalOf(request), which(request), request.body, { box, cause: causeOf(request) }),
  );

  handle(app, routes.deleteVariable, (request) =>
    deleteVariable(db, principalOf(request), which(request), request.query.environments, causeOf(request)),
  );
}
