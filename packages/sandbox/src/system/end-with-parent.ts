// Preloaded into every process the sandbox starts. Its standard input is a pipe from the supervisor. When the supervisor ends,
// however it ends, the operating system closes the pipe, and this process drains and ends instead of holding on to its port.
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.once('error', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
(process.stdin as typeof process.stdin & { unref?: () => void }).unref?.();
