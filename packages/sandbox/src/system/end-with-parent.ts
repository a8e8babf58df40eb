// Preloaded into every process the sandbox starts. Its standard input is a pipe from the supervisor: when that process
// dies, however it dies, the pipe closes and this one ends in good order instead of holding on to its port.
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.once('error', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
(process.stdin as typeof process.stdin & { unref?: () => void }).unref?.();
