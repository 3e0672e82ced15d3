export { healthCheckAgent, type LogWriter, openLogWriter } from './log-writer.ts';
export { followLogs, logsAsJson } from './logs.service.ts';
export { appendLogLine, deleteLinesOlderThan } from './logs.sql.ts';
export { createMask } from './mask.ts';
export { untilBack } from './patient.ts';
