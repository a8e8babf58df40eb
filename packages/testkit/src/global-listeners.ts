// Each test file loads its modules anew, and one that watches the outputs of its process for errors does so once a file.
for (const output of [process.stdout, process.stderr]) output.setMaxListeners(0);
