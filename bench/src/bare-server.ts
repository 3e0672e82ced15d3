import { EventEmitter } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from '../../apps/server/src/foundation/db/pool.ts';
import type { Database } from '../../apps/server/src/foundation/db/schema.ts';
import { newId } from '../../apps/server/src/foundation/ids.ts';
import { findUser } from '../../apps/server/src/identity/users/index.ts';
import { listPage } from '../../apps/server/src/projects/projects.listing.sql.ts';
import { findProject } from '../../apps/server/src/projects/projects.sql.ts';

// The upper bound: Fastify and node-postgres with the same prepared statement, and nothing else. No authentication,
// limits, schemas or log.
const { BENCH_CONNECTION, BENCH_PROJECT = '', BENCH_SMALL_USER = '' } = process.env;
const pool = new pg.Pool({ ...JSON.parse(BENCH_CONNECTION ?? '{}'), max: 20 });
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

type Statement = { name: string; text: string; values: unknown[] };

/** The text of the statement that the service itself sends. */
async function statementOf(name: string, query: (db: Db) => Promise<unknown>): Promise<Statement> {
  let statement: Statement = { name, text: '', values: [] };
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      statement = { name, text: event.query.sql, values: [...event.query.parameters] };
    },
  });
  await query(Object.assign(db, { commits: new EventEmitter() }));
  return statement;
}

const page = { page: 1, limit: 20, sort: 'created_at', order: 'desc' } as const;
const project = await statementOf('project', (db) => findProject(db, BENCH_PROJECT, BENCH_SMALL_USER));
const small = await statementOf('small', (db) => listPage(db, BENCH_SMALL_USER, page));

const user = await statementOf('user', (db) => findUser(db, BENCH_SMALL_USER));

const app = fastify();
app.get('/user', async () => (await pool.query(user)).rows[0]);
app.get('/project', async () => (await pool.query(project)).rows[0]);
app.get('/list/small', async () => (await pool.query(small)).rows);
app.post<{ Body: { name: string; description: string } }>('/project', async (request, reply) => {
  const { rows } = await pool.query(
    'insert into projects (id, owner_id, name, description) values ($1, $2, $3, $4) returning *',
    [newId('prj'), BENCH_SMALL_USER, request.body.name, request.body.description],
  );
  reply.code(201);
  return rows[0];
});
await pool.query('create table if not exists bare_files (path text primary key, content text not null)');
await pool.query(
  "insert into bare_files values ('/one', repeat('export const value = 1;', 20)) on conflict do nothing",
);
app.put<{ Body: { path: string; content: string } }>('/file', async (request) => {
  const { rows } = await pool.query({
    name: 'upsert',
    text: `insert into bare_files values ($1, $2)
           on conflict (path) do update set content = excluded.content returning path`,
    values: [request.body.path, request.body.content],
  });
  return rows[0];
});
app.get('/file', async (_request, reply) => {
  const { rows } = await pool.query({
    name: 'read',
    text: 'select content from bare_files where path = $1',
    values: ['/one'],
  });
  return reply.type('text/plain').send(rows[0].content);
});
const disk = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'disk-'));
await writeFile(
  join(disk, 'page.js'),
  `export const words = ${JSON.stringify('some words of a script '.repeat(400))};\n`,
);
app.get<{ Params: { name: string } }>('/disk/:name', async (request, reply) => {
  const path = join(disk, request.params.name);
  const { size, mtime } = await stat(path);
  return reply
    .type('text/javascript; charset=utf-8')
    .headers({
      'cache-control': 'public, max-age=0',
      'last-modified': mtime.toUTCString(),
      etag: `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`,
      'content-length': size,
    })
    .send(createReadStream(path));
});
await app.listen({ port: 0 });
process.send?.(`http://localhost:${(app.server.address() as AddressInfo).port}`);
