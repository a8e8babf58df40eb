// Modules that watch the process's outputs for errors are loaded anew by each test file and add a listener each time.
for (const output of [process.stdout, process.stderr]) output.setMaxListeners(0);
