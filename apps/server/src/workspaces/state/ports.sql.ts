import type { PortVisibility } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries } from '../../foundation/db/index.ts';
import { plainWords } from './plain-words.ts';

export type PortRow = { port: number; visibility: PortVisibility; label: string | null; is_listening: boolean };

const columns = sql.raw('port, visibility, label, is_listening');

export function listPorts(db: Queries, workspaceId: string): Promise<PortRow[]> {
  return allRows<PortRow>(db)`
    select ${columns} from workspace_ports
    where workspace_id = ${workspaceId} and (is_listening or label is not null or visibility <> 'owner')
    order by port limit 200`;
}

export function findPort(db: Queries, workspaceId: string, port: number): Promise<PortRow | undefined> {
  return firstRow<PortRow>(db)`
    select ${columns} from workspace_ports where workspace_id = ${workspaceId} and port = ${port}`;
}

/** Stores which ports have a listener. Returns the ports that had none before. */
export async function noteListening(
  db: Queries,
  workspaceId: string,
  ports: readonly number[],
  declared: Record<number, { label?: string; visibility?: PortVisibility }> = {},
): Promise<number[]> {
  const values = ports.map((port) => {
    const { label, visibility } = declared[port] ?? {};
    return { port, visibility, ...(label !== undefined && { label: plainWords(label) }) };
  });
  const opened = await allRows<{ port: number }>(db)`
    with closed as (
      update workspace_ports set is_listening = false
      where workspace_id = ${workspaceId} and is_listening and port <> all(${ports}::integer[]))
    insert into workspace_ports as p (workspace_id, port, is_listening, label, visibility)
    select ${workspaceId}, port, true, left(label, 100), coalesce(visibility, 'owner')
    from json_to_recordset(${JSON.stringify(values)}::json) as n(port integer, label text, visibility text)
    on conflict (workspace_id, port) do update set is_listening = true where not p.is_listening
    returning port`;
  return opened.map((row) => row.port);
}

export async function changePort(
  db: Queries,
  workspaceId: string,
  port: number,
  { visibility, label }: { visibility?: PortVisibility | undefined; label?: string | null | undefined },
): Promise<PortRow> {
  const row = await firstRow<PortRow>(db)`
    insert into workspace_ports as p (workspace_id, port, visibility, label)
    values (${workspaceId}, ${port}, ${visibility ?? 'owner'}, ${label ?? null})
    on conflict (workspace_id, port) do update set
      visibility = coalesce(${visibility ?? null}, p.visibility),
      label = case when ${label === undefined} then p.label else ${label ?? null} end
    returning ${columns}`;
  return row as PortRow;
}
