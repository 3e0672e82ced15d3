/** Ends the servers with the bench, however it ends. */
process.on('disconnect', () => process.exit());
