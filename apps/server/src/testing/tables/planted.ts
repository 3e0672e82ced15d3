import { newId } from '../../foundation/ids.ts';
import { deploy, setVariable } from '../samples/sample-deployments.ts';
import { createWebhook } from '../samples/sample-webhooks.ts';
import { plantSnapshot, standInWorkspace } from '../samples/stand-in-agent.ts';
import type { Place } from './authorisation-place.ts';

export type Planted = {
  /** Words that only members of the project may read, by what they are in. */
  words: Record<string, string>;
  /** Values for the placeholders of routes. */
  named: Record<string, string>[];
};

async function plantWorkspace({ service, cast, projectId }: Place) {
  const userId = cast.owner.id;
  const planted = { projectId, userId, name: 'planted-workspace', reason: 'planted-refusal' };
  const workspace = await standInWorkspace(service, planted);
  await service.pool.query(
    "insert into workspace_ports (workspace_id, port, label) values ($1, 3000, 'planted-port')",
    [workspace],
  );
  return { workspace, snapshot: await plantSnapshot(service, projectId, 'planted-snapshot') };
}

const plantCheckLine = ({ service, parameters }: Place) =>
  service.pool.query(
    `insert into check_logs (check_id, seq, at, level, stream, message)
     values ($1, 1, now(), 'info', 'stdout', 'planted-check')`,
    [parameters.check_id],
  );

/** Creates some of everything that tells how a project is built and run, each with its own word. */
export async function plantOperations(place: Place): Promise<Planted> {
  const { service, cast, projectId, parameters } = place;
  const own = { service, user: cast.owner, projectId };
  const query = (text: string, values: unknown[]) => service.pool.query(text, values);
  await setVariable(own, 'PLANTED_VARIABLE', {
    value: 'planted-plain',
    kind: 'plain',
    environments: ['planted-place'],
  });
  const preview = await deploy(own, {
    environment: 'planted-preview',
    build_command: 'planted-command',
    output_directory: 'planted-output',
    environment_variables: { PLANTED_OWN: 'x' },
  });
  const live = await deploy(own, { build_command: 'planted-live', environment_variables: { PLANTED_LIVE: 'x' } });
  const artifact = newId('art');
  await query(
    `insert into artifacts (id, project_id, digest, start_command, spa, file_count, size)
     values ($1, $2, '\\x01', 'planted-start', false, 0, 0)`,
    [artifact, projectId],
  );
  await query("update deployments set status = 'success', artifact_id = $2 where id = any($1)", [
    [preview.id, live.id],
    artifact,
  ]);
  await query(
    `update projects set live_deployment_id = $2, app_name = $3, repository_status = 'failed',
       repository_error = 'planted-import' where id = $1`,
    [projectId, live.id, projectId.replace('_', '-')],
  );
  await query(
    `insert into app_instances (id, deployment_id, worker_id, status, problem, lease_until)
     values ($1, $2, 'nobody', 'failed', 'planted-problem', now() + interval '1 hour')`,
    [newId('ins'), live.id],
  );
  await query(
    `insert into deployment_logs (deployment_id, seq, at, level, stream, message, is_runtime)
     select id, 1000, now(), 'info', 'app', 'planted-line', true from unnest($1::text[]) as id`,
    [[live.id, preview.id, parameters.deployment_id]],
  );
  await query("update domains set domain = 'planted-pending.example.org' where project_id = $1", [projectId]);
  await query(
    `insert into domains (id, project_id, domain, state, redirect_to, reason_type, reason_message)
     values ($1, $2, 'open.example.org', 'verified', 'planted-pending.example.org', 'not_leading_here', 'planted-reason')`,
    [newId('dom'), projectId],
  );
  const { workspace, snapshot } = await plantWorkspace(place);
  await plantCheckLine(place);
  const { webhook_id } = await createWebhook(service, cast.owner, {
    project_id: projectId,
    url: 'https://planted-hook.example.org/x',
  });
  const words = {
    'the name of a variable': 'PLANTED_VARIABLE',
    'the plain value of a variable': 'planted-plain',
    'an environment that a variable names': 'planted-place',
    'the environment of a preview': 'planted-preview',
    'the id of a preview': preview.id,
    'the address of a preview': preview.id.replace('_', '-'),
    'the build command of a preview': 'planted-command',
    'the output directory of a preview': 'planted-output',
    'the own variable of a preview': 'PLANTED_OWN',
    'the build command of the live deployment': 'planted-live',
    'the own variable of the live deployment': 'PLANTED_LIVE',
    'the problem of an app': 'planted-problem',
    'a line of a log': 'planted-line',
    'a line of the log of a check': 'planted-check',
    'a domain that is pending': 'planted-pending.example.org',
    'what is wrong with a domain': 'planted-reason',
    'the id of a workspace': workspace,
    'the name of a workspace': 'planted-workspace',
    'what a workspace could not save': 'planted-refusal',
    'the label of a port': 'planted-port',
    'the name of a snapshot': 'planted-snapshot',
    'the address of a webhook': 'planted-hook.example.org',
    'why an import failed': 'planted-import',
    'the address of a collaborator': cast.editor.email,
    'the address of somebody invited': cast['pending invitee'].email,
  };
  return {
    words,
    named: [
      {
        deployment_id: preview.id,
        domain: 'planted-pending.example.org',
        webhook_id,
        workspace_id: workspace,
        snapshot_id: snapshot,
      },
      { deployment_id: live.id, domain: 'open.example.org', webhook_id },
    ],
  };
}
