export type { LogBook, LogOf } from './log-book.ts';
export { healthCheckAgent, type LogWriter, openLogWriter } from './log-writer.ts';
export { followLogs, lastLineOf, logsAsJson } from './logs.service.ts';
export { appendLogLine, deleteLinesOlderThan, deleteOldLines, logOfDeployment } from './logs.sql.ts';
export { createMask } from './mask.ts';
export { untilBack } from './patient.ts';
export { tellingLine } from './telling-line.ts';
