// Package mcp is the codec of the Model Context Protocol: the text protocol's
// tools for models, over stdio or streamable HTTP. Each MCP session is a
// session of the runtime; a tool call is one message (research: several) and
// its answer is text. The package holds which page a session looks at, and
// nothing of any page.
//
// Spec: the text protocol §11; Model Context Protocol 2025-11-25 and older.
package mcp
