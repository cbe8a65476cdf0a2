package gallery

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryPageOfTemplatesHasAScreen reads the source: a page is an exported function of templates that makes a component of
// one struct and is called …Page or …View; it has a screen where a file of this package names it.
func TestEveryPageOfTemplatesHasAScreen(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	inspect(t, "*.go", func(n ast.Node) {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "templates" {
				shown[s.Sel.Name] = true
			}
		}
	})
	var pages []string
	inspect(t, filepath.Join("..", "*_templ.go"), func(n ast.Node) {
		if f, ok := n.(*ast.FuncDecl); ok && isPage(f) {
			pages = append(pages, f.Name.Name)
		}
	})
	if len(pages) < 13 {
		t.Errorf("only %q are taken for pages", pages)
	}
	for _, page := range pages {
		if !shown[page] {
			t.Errorf("no screen shows templates.%s: add a file with its states here, and a line to Screens", page)
		}
	}
}

func isPage(f *ast.FuncDecl) bool {
	name, takes := f.Name.Name, f.Type.Params.List
	return f.Recv == nil && f.Name.IsExported() && len(takes) == 1 && (strings.HasSuffix(name, "Page") || strings.HasSuffix(name, "View"))
}

// inspect visits the source of the files that fit the pattern, tests left out.
func inspect(t *testing.T, pattern string, visit func(ast.Node)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file is called %s: %v", pattern, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if n != nil {
				visit(n)
			}
			return true
		})
	}
}
